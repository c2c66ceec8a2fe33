import { ApiExtension } from '@nestjs/swagger';

/** OpenAPI extension by which {@link ApiRequestContent} passes its content to the post-processing of the document. */
export const REQUEST_CONTENT = 'x-request-content';

export interface RequestMediaType {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: unknown;
}

/**
 * Documents a body that may have several media types, each with its own schema, which `@ApiBody` cannot express.
 * @param content by media type
 */
export const ApiRequestContent = (content: Readonly<Record<string, RequestMediaType>>): MethodDecorator =>
  ApiExtension(REQUEST_CONTENT, content);

/** Media type of a body that is accepted with any Content-Type. */
export const ANY_TYPE = '*/*';
