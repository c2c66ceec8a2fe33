import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { PROJECT_ROOT } from '../../config/paths.js';
import { CODES } from '../../src/platform/http/api-problem.js';
import { documentWithoutDatabase } from '../../src/start/openapi/document.js';
import { type Components, type JsonSchema, resolve } from '../../src/start/openapi/schema.js';
import type { Fault } from '../../src/start/openapi/fault.js';
import { type Operation, type Response, routesOf } from '../../src/start/openapi/operation.js';
import { Contract } from '../support/contract.js';
import { committedOpenApi, startTestService } from '../support/test-service.js';

describe('the OpenAPI document', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = await documentWithoutDatabase();
  });
  const allOperations = (): Operation[] => routesOf(document).map(({ operation }) => operation);
  const shared = (reference: string): Response =>
    document.components?.responses?.[reference.split('/').at(-1)!] as Response;

  it("passes Redocly's recommended rules without warnings", async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: join(PROJECT_ROOT, 'docs', 'openapi.json'),
      config: await createConfig({ extends: ['recommended'] }),
    });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it('describes the session token as opaque, not as a JWT', () => {
    expect(document.components?.securitySchemes?.['session']).toMatchObject({
      scheme: 'bearer',
      bearerFormat: 'opaque',
    });
  });

  it('states for every operation what it does, who may call it and how it fails', () => {
    const operations = allOperations();
    expect(operations.length).toBeGreaterThan(40);
    for (const operation of operations) {
      const stated = {
        id: operation.operationId,
        summary: Boolean(operation.summary),
        description: Boolean(operation.description),
        tag: operation.tags?.length,
        schemes: new Set(operation.security?.map((scheme) => JSON.stringify(scheme))).size,
        fault: '500' in operation.responses,
      };
      expect(stated).toEqual({
        id: operation.operationId,
        summary: true,
        description: true,
        tag: 1,
        schemes: operation.security?.length,
        fault: true,
      });
      expect(operation.operationId).toMatch(/^[A-Za-z]+_[A-Za-z]+$/);
    }
    for (const { name, description } of document.tags ?? [])
      expect({ name, described: description !== '' }).toEqual({ name, described: true });
  });

  it('states that a body may time out, be too large or of another type, even where none is required', () => {
    for (const { method, path, operation } of routesOf(document)) {
      const stated = ['408', '413', '415'].filter((status) => status in operation.responses);
      const ofAnyType = path.startsWith('/webhooks/');
      const expected = method === 'GET' ? [] : ofAnyType ? ['408', '413'] : ['408', '413', '415'];
      expect([method, path, stated]).toEqual([method, path, expected]);
    }
  });

  it('gives the address of what a request created, if it can be read by itself', () => {
    const read = routesOf(document).flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
    for (const { method, path, operation } of routesOf(document)) {
      const created = operation.responses['201'];
      if (method !== 'POST' || !created) continue;
      const isRead = read.some((one) => one.startsWith(`${path}/{`) && !one.slice(path.length + 1).includes('/'));
      if (isRead)
        expect([path, Object.keys(created.headers ?? {})]).toEqual([path, expect.arrayContaining(['Location'])]);
    }
  });

  it('has an example for every JSON body', () => {
    for (const operation of allOperations()) {
      for (const body of [operation.requestBody, ...Object.values(operation.responses)]) {
        for (const [type, media] of Object.entries(body?.content ?? {})) {
          if (!type.includes('json')) continue;
          expect({
            id: operation.operationId,
            type,
            example: media.example !== undefined || media.examples !== undefined,
          }).toMatchObject({ example: true });
        }
      }
    }
  });

  it('states the type of every path parameter, with an example', () => {
    for (const { operationId, parameters = [] } of allOperations()) {
      for (const { name, in: place, schema, example } of parameters) {
        if (place !== 'path') continue;
        const types = { type: schema?.type, example: typeof (example ?? schema?.example) };
        expect({ operationId, name, ...types }).toEqual({ operationId, name, type: 'string', example: 'string' });
      }
    }
  });

  it('describes every parameter', () => {
    const undescribed = routesOf(document).flatMap(({ method, path, operation: { parameters = [] } }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${method} ${path}: ${name}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('describes every property of every schema', () => {
    const undescribed = (name: string, schema: JsonSchema): string[] => [
      ...Object.entries(schema.properties ?? {}).flatMap(([property, part]) => [
        ...(part.description ? [] : [`${name}.${property}`]),
        ...undescribed(`${name}.${property}`, part),
      ]),
      ...[schema.items ?? [], schema.allOf ?? [], schema.anyOf ?? [], schema.oneOf ?? []]
        .flat()
        .flatMap((part) => undescribed(name, part)),
    ];
    const schemas = (document.components?.schemas ?? {}) as Components;
    expect(Object.entries(schemas).flatMap(([name, schema]) => undescribed(name, schema))).toEqual([]);
  });

  it('has no filler in examples', () => {
    const fillers = JSON.stringify(document).match(/"\w+":\[?"(text)+"/g);
    expect(fillers).toBeNull();
  });

  it('shows only validation errors that the route can return', () => {
    const schemas = (document.components?.schemas ?? {}) as Components;
    let examples = 0;
    for (const operation of allOperations()) {
      const example = operation.responses['400']?.content?.['application/problem+json']?.example;
      const { code, errors = [] } = (example ?? {}) as { code?: string; errors?: Fault[] };
      const [fault] = errors;
      if (!fault || code !== 'invalid_request') continue;
      const body = resolve(operation.requestBody?.content?.['application/json']?.schema ?? {}, schemas);
      const parameter = operation.parameters?.find(({ name }) => name === fault.param)?.schema;
      const place = parameter ?? body.properties?.[fault.param];
      expect({ id: operation.operationId, fault, known: place !== undefined }).toMatchObject({ known: true });
      const bound = / to (\d+)$/.exec(fault.message)?.[1];
      if (bound !== undefined) expect(place?.maximum).toBe(Number(bound));
      examples += 1;
    }
    expect(examples).toBeGreaterThan(60);
  });

  it('describes the Link header wherever JSON is paged', () => {
    const paged = allOperations().filter(
      ({ parameters = [], responses }) =>
        parameters.some(({ name }) => name === 'cursor') && responses['200']?.content?.['application/json'],
    );
    expect(paged.length).toBeGreaterThan(20);
    expect(paged.filter(({ responses }) => !responses['200']?.headers?.['Link'])).toEqual([]);
  });

  it('describes the replay header wherever Idempotency-Key is supported', () => {
    const idempotent = allOperations().filter(({ parameters = [] }) =>
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(idempotent.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['Runs_start', 'Runs_startByAlias', 'Actuals_upload']),
    );
    for (const { responses } of idempotent) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      expect(successes.length).toBeGreaterThan(0);
      for (const [, { headers }] of successes) expect(headers).toHaveProperty('Idempotent-Replayed');
    }
  });

  it('describes Retry-After wherever an error says when to retry', () => {
    const untold = allOperations().flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const { headers, description } = response.$ref ? shared(response.$ref) : response;
        return /see Retry-After|not_ready/.test(description ?? '') && !headers?.['Retry-After']
          ? [`${operationId} ${status}`]
          : [];
      }),
    );
    expect(untold).toEqual([]);
  });

  it('declares every number as double, and integers beyond 32 bits as int64', () => {
    const narrow = placesWhere(document, ({ type, format, maximum = 0 }) => {
      const types = [type].flat();
      return (
        (types.includes('number') && format !== 'double') ||
        (types.includes('integer') && maximum >= 2 ** 31 && format !== 'int64')
      );
    });
    expect(narrow).toEqual([]);
  });

  it('has no union of scalar types, for which generated clients create a class', () => {
    const choices = placesWhere(document, ({ type }) => [type].flat().filter((one) => one !== 'null').length > 1);
    expect(choices).toEqual([]);
  });

  it('names every object and union, after which generated clients name their models', () => {
    const nameless: string[] = [];
    const visit = (schema: JsonSchema, place: string): void => {
      const choices = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
      const parts = [...choices, ...(schema.allOf ?? [])];
      if (schema.properties || parts.length > 1) nameless.push(place);
      for (const part of [...parts, ...(schema.items ? [schema.items] : [])]) visit(part, place);
    };
    for (const { operationId, requestBody, responses } of allOperations()) {
      for (const { content } of [requestBody, ...Object.values(responses)].filter((body) => body !== undefined))
        for (const { schema } of Object.values(content ?? {})) visit(schema ?? {}, operationId ?? '');
    }
    for (const [name, { properties = {} }] of Object.entries(document.components?.schemas as Components))
      for (const [member, schema] of Object.entries(properties)) visit(schema, `${name}.${member}`);
    expect(nameless).toEqual([]);
  });

  it('has one model for all errors of the API and one for those of the feed', () => {
    const models = new Set<string | undefined>();
    for (const { responses } of allOperations()) {
      for (const [status, response] of Object.entries(responses)) {
        const { content } = response.$ref ? shared(response.$ref) : response;
        if (Number(status) >= 400) for (const { schema } of Object.values(content ?? {})) models.add(schema?.$ref);
      }
    }
    expect([...models].sort()).toEqual(['#/components/schemas/ODataErrorBody', '#/components/schemas/ProblemBody']);
  });

  it('uses only error codes that docs/api-errors.md explains', () => {
    const listed = readFileSync(join(PROJECT_ROOT, 'docs', 'api-errors.md'), 'utf8');
    expect(codesOf(document).filter((code) => !listed.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('the service', () => {
  it('serves the committed document', async () => {
    const service = await startTestService();
    try {
      const served = await fetch(`${service.url}/openapi.json`);
      expect(await served.json()).toEqual(committedOpenApi());
    } finally {
      await service.close();
    }
  });
});

describe('the response check', () => {
  it('fails on an undocumented member, status or type', async () => {
    const document = committedOpenApi();
    const live = document.paths['/health/live']!.get!.responses['200'] as { content: Record<string, unknown> };
    live.content = {
      'application/json': { schema: { type: 'object', properties: { state: {} }, required: ['state'] } },
    };
    delete (document.paths['/releases']!.get!.responses as Record<string, unknown>)['200'];
    const service = await startTestService({ document });
    await fetch(`${service.url}/health/live`);
    await fetch(`${service.url}/health/ready`);
    await fetch(`${service.url}/releases`);
    const fault = await service.close().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(fault).toContain("GET /health/live 200: body must have required property 'state'");
    expect(fault).toContain('GET /releases 200: the status 200 is not documented');
    expect(fault).not.toContain('/health/ready');
  });

  it('fails on an undocumented header that clients act on', () => {
    const contract = new Contract(committedOpenApi());
    const faultsOf = (route: string, header: string): string[] =>
      contract.faults('GET', route, { status: 200, contentType: '', headers: [header], body: undefined, url: route });
    expect(faultsOf('/api/v1/runs', 'location')).toEqual(['the header location is not documented for 200']);
    expect(faultsOf('/api/v1/runs', 'link')).not.toContain('the header link is not documented for 200');
    expect(faultsOf('/api/v1/runs', 'date')).not.toContain('the header date is not documented for 200');
  });
});

/** Where in the paths and components of the document something has a `type` and the like of which this is so. */
function placesWhere({ paths, components }: OpenAPIObject, isSo: (schema: JsonSchema) => boolean): string[] {
  const places: string[] = [];
  const visit = (part: unknown, place: string): void => {
    if (typeof part !== 'object' || part === null) return;
    if (isSo(part)) places.push(place);
    for (const [member, inner] of Object.entries(part)) visit(inner, `${place}/${member}`);
  };
  visit({ paths, components }, '');
  return places;
}

/** Every value that the document allows for `code` in a problem body. */
function codesOf(document: OpenAPIObject): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const code of (value as { [CODES]?: string[] })[CODES] ?? []) found.add(code);
    Object.values(value).forEach(visit);
  };
  visit(document.paths);
  visit(document.components?.responses);
  return [...found].sort();
}
