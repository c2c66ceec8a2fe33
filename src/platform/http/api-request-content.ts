import { ApiExtension } from '@nestjs/swagger';

/** OpenAPI extension by which {@link ApiRequestContent} hands its content to the finishing of the document. */
export const REQUEST_CONTENT = 'x-request-content';

export interface RequestMediaType {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: unknown;
}

/**
 * Documents a body that may come in several media types, each with a schema of its own, which `@ApiBody` cannot tell.
 * @param content by media type
 */
export const ApiRequestContent = (content: Readonly<Record<string, RequestMediaType>>): MethodDecorator =>
  ApiExtension(REQUEST_CONTENT, content);

/** Media type of a body that is taken whatever its Content-Type. */
export const ANY_TYPE = '*/*';
