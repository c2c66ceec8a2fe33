import type { OpenAPIObject } from '@nestjs/swagger';
import type { CODES } from '../../platform/http/api-problem.js';
import type { REQUEST_CONTENT } from '../../platform/http/openapi/api-request-content.js';
import type { JsonSchema } from './schema.js';

export interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: unknown;
}

export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
  [CODES]?: readonly string[];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: JsonSchema;
}

export interface Operation {
  operationId?: string;
  description?: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, MediaType> };
  [REQUEST_CONTENT]?: Record<string, MediaType>;
  responses: Record<string, Response>;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** An operation with its location: `GET /health/live`. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The routes of a document. */
export function routesOf(document: OpenAPIObject): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  );
}
