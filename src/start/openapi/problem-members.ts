import type { JsonSchema } from './schema.js';

interface ProblemMember {
  /** The codes of the refusals that have it. */
  readonly codes: readonly string[];
  readonly schema: JsonSchema;
}

/** The members of refusals besides those that all of them have (RFC 9457, section 3.2). */
const PROBLEM_MEMBERS: Readonly<Record<string, ProblemMember>> = {
  quota: {
    codes: ['quota_exceeded'],
    schema: { type: 'integer', description: 'number of runs per month that the plan includes.', example: 200 },
  },
  used: {
    codes: ['quota_exceeded', 'plan_limit_reached'],
    schema: { type: 'integer', description: 'how many there are.', example: 200 },
  },
  limit: {
    codes: ['plan_limit_reached', 'too_many_connectors'],
    schema: { type: 'integer', description: 'how many there can be.', example: 200 },
  },
  resets_at: {
    codes: ['quota_exceeded'],
    schema: {
      type: 'string',
      format: 'date-time',
      description: 'when the quota resets.',
      example: '2026-12-01T00:00:00.000Z',
    },
  },
  run_status: {
    codes: ['run_not_completed'],
    schema: { type: 'string', description: '`status` of the run.', example: 'running' },
  },
  version: {
    codes: ['agreement_version_outdated'],
    schema: { type: 'string', description: 'the version of the agreement that is in force.', example: '2026-11-01' },
  },
  report: {
    codes: ['invalid_data'],
    schema: {
      allOf: [{ $ref: '#/components/schemas/ImportReportDto' }],
      description: 'the report of the upload, whose `rejected` lists the rejected rows.',
    },
  },
};

/** Adds these members to the schema of all refusals. Others may be added, as to any response. */
export function withProblemMembers(problem: JsonSchema): JsonSchema {
  const members = Object.entries(PROBLEM_MEMBERS).map(([name, { codes, schema }]) => {
    const condition = codes.map((code) => `\`${code}\``).join(' or ');
    return [name, { ...schema, description: `With ${condition}: ${schema.description}` }] as const;
  });
  return {
    ...problem,
    properties: { ...problem.properties, ...Object.fromEntries(members) },
    additionalProperties: true,
  };
}

/** Example values of the members that a refusal with this code has. */
export function exampleProblemMembers(code: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(PROBLEM_MEMBERS)
      .filter(([, { codes, schema }]) => codes.includes(code) && schema.example !== undefined)
      .map(([name, { schema }]) => [name, schema.example]),
  );
}
