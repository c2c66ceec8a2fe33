import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MEMBER_ROLES } from '../../src/platform/http/access-declaration.js';
import { admissionOf, type Principal, PRINCIPALS } from '../support/routes/admission.js';
import { type Route, routesOf } from '../support/routes/routes.js';
import { type IdName, WORKSPACE_ID_NAMES } from './population.js';
import { startTwoTenants, type TwoTenants } from './two-tenants.js';
import { Caller, idsInPath, namedBy, type Probe, rootOf, type Whose } from './probes.js';
import { casesOf, ROUTE_CASES, type RouteCase } from './route-cases.js';

const nameOf = (route: Route): string => `${route.method} ${route.path}`;

/** The status that the contract (section 2) and the route's case ask for. */
function expected({ route, case: declared, principal, whose, place }: Probe): number {
  const admission = admissionOf(route.declaration, principal);
  if (whose === 'own') return admission === 'admitted' ? declared.own : admission[0];
  const isMember = MEMBER_ROLES.some((role) => role === principal);
  if (isMember && place === rootOf(route)) return 404; // of another's organization nobody learns which role it asks for
  if (admission !== 'admitted') return admission[0];
  const isKey = route.declaration.kind === 'public_api';
  if (isKey && principal === 'workspace key' && place === 'workspace_id') return 403;
  return declared.foreign?.[place as IdName] ?? 404;
}

/** Every way to name somebody else's row or nobody's that means something to the principal. */
function otherNames(route: Route, declared: RouteCase, principal: Principal): { place: IdName; whose: Whose }[] {
  const inPath = idsInPath(route);
  return namedBy(route, declared).flatMap((place) => {
    const names: Whose[] = ['unknown'];
    // operators act on every organization, and what is foreign to others is the stranger's own
    if (principal !== 'stranger' && route.declaration.kind !== 'operator') names.push('foreign');
    if (inPath.includes(place)) names.push('malformed');
    const bound = principal === 'workspace key' || (route.declaration.kind === 'workspace' && place !== 'workspace_id');
    if (bound && WORKSPACE_ID_NAMES.has(place)) names.push('neighbour');
    return names.map((whose) => ({ place, whose }));
  });
}

describe('every tenant route, called by everyone with own, foreign and unknown rows', () => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants();
  });
  afterAll(() => tenants.close());

  /** Routes that serve a tenant, or name a row of one. */
  const routes = (): Route[] =>
    routesOf(tenants.service.app).filter(
      (route) =>
        ['public_api', 'organization', 'workspace'].includes(route.declaration.kind) || idsInPath(route).length > 0,
    );

  it('is declared, and nothing else is', () => {
    expect(routes().map(nameOf).sort()).toEqual(Object.keys(ROUTE_CASES).sort());
  });

  it.each(PRINCIPALS)('answers as declared, foreign and unknown ids alike, to %s', async (principal) => {
    const caller = new Caller(tenants);
    const wrong: string[] = [];
    const calls = routes().flatMap((route) => casesOf(nameOf(route)).map((declared) => ({ route, declared })));
    for (const { route, declared } of calls) {
      const probe = { route, case: declared, principal };
      const check = async (one: Probe) => {
        const answer = await caller.send(one);
        if (answer.status !== expected(one)) {
          wrong.push(
            `${nameOf(route)}, ${one.place ?? 'all ids'} ${one.whose}: ${answer.status} instead of ${expected(one)}: ${answer.text.slice(-200)}`,
          );
        }
        return answer.text;
      };
      await check({ ...probe, whose: 'own' });
      const texts = new Map<IdName, string>();
      for (const { place, whose } of otherNames(route, declared, principal)) {
        const text = await check({ ...probe, place, whose });
        const first = texts.get(place) ?? text;
        if (text !== first)
          wrong.push(`${nameOf(route)}: ${place} ${whose} reads unlike another's: ${text} / ${first}`);
        texts.set(place, first);
      }
    }
    expect(wrong).toEqual([]);
  });
});
