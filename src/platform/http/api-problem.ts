import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PROBLEM_JSON } from './problem.js';

class ParameterFaultBody {
  @ApiProperty({
    description: 'The query parameter, body field (dotted path) or header that is invalid.',
    example: 'limit',
  })
  param!: string;

  @ApiProperty({ description: 'What is wrong with it.', example: 'must be a whole number from 1 to 10000' })
  message!: string;
}

/** Body of every refusal: RFC 9457 problem details. */
class ProblemBody {
  @ApiProperty({ description: 'Always `about:blank`: `code` tells errors apart.', example: 'about:blank' })
  type!: string;

  @ApiProperty({ description: 'The HTTP status in words.', example: 'Bad Request' })
  title!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status.', example: 400 })
  status!: number;

  @ApiProperty({ description: 'What is wrong, for people to read. The wording may change.' })
  detail!: string;

  @ApiProperty({ description: 'What is wrong, for programs. Codes are stable.', example: 'invalid_request' })
  code!: string;

  @ApiProperty({
    description: 'The id of the request, also in the X-Request-Id header. Quote it when you report a problem.',
    format: 'uuid',
  })
  request_id!: string;

  @ApiPropertyOptional({ type: [ParameterFaultBody], description: 'With status 400: every parameter that is invalid.' })
  errors?: ParameterFaultBody[];
}

/**
 * OpenAPI extension that lists every `code` a documented refusal may carry. The codes are not an enum in the schema, so that
 * generated clients have one problem model for all refusals and can still read them when a code is added.
 */
export const CODES = 'x-codes';

/**
 * Documents a status with which a route refuses requests.
 * @param codes all `code` values that it may carry: replies with any other fail the end-to-end tests
 * @param example members of the example, which is of the first code; by default its detail is the description
 */
export function ApiProblem(
  status: number,
  description: string,
  codes: readonly string[],
  example?: Readonly<Record<string, unknown>>,
): MethodDecorator & ClassDecorator {
  const documented = {
    status,
    description: `${description} (${codes.map((code) => `\`${code}\``).join(', ')})`,
    content: { [PROBLEM_JSON]: { schema: { $ref: getSchemaPath(ProblemBody) }, ...(example && { example }) } },
    [CODES]: [...codes],
  };
  return applyDecorators(ApiExtraModels(ProblemBody), ApiResponse(documented));
}

/** Documents that invalid requests are refused, with every invalid parameter and field in `errors`. */
export const ApiInvalidRequest = (
  description = 'Parameters are invalid; `errors` names each.',
): MethodDecorator & ClassDecorator => ApiProblem(400, description, ['invalid_request']);

/** {@link ApiInvalidRequest} for an operation whose only input is a query. */
export const ApiInvalidQuery = (): MethodDecorator & ClassDecorator =>
  ApiInvalidRequest('A query parameter is invalid.');
