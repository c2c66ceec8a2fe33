import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sendConditional } from '../../platform/http/replies/conditional.js';
import { GUIDE_POLICY, guidePage, guidesPage } from './guide-page.js';

/** Serves the guides for users, files in `docs` of the repository, under /docs/guides. */
export function serveGuides(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const rendered = new Map<string, string>();
  for (const [path, pageOf] of [
    ['/docs/guides', () => guidesPage('../')],
    ['/docs/guides/', () => guidesPage('../../')],
    ['/docs/guides/*', guidePage],
  ] as const) {
    fastify.get<{ Params: { '*'?: string } }>(path, (request, reply) => {
      const { '*': name = '' } = request.params;
      const page = rendered.get(path + name) ?? pageOf(name);
      if (page === undefined) return reply.callNotFound();
      rendered.set(path + name, page);
      void reply.header('content-security-policy', GUIDE_POLICY);
      sendConditional(request, reply, 'text/html; charset=utf-8', page);
    });
  }
}
