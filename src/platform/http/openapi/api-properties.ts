/** Properties of many bodies, as the API document describes them. */
export const idProperty = { format: 'uuid', example: '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55' };
export const instantProperty = { format: 'date-time', example: '2026-11-21T06:00:00.000Z' };
export const nullableString = { type: String, nullable: true } as const;
export const nullableInstant = { ...nullableString, format: 'date-time' } as const;
export const countProperty = (description: string, example: number) =>
  ({ type: 'integer', minimum: 0, description, example }) as const;
