/** Properties shared by many responses, as the API documents them. */
export const id = { format: 'uuid', example: '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55' };
export const instant = { format: 'date-time', example: '2026-11-21T06:00:00.000Z' };
export const nullableString = { type: String, nullable: true } as const;
export const number = (description: string, example: number) =>
  ({ type: 'integer', minimum: 0, description, example }) as const;
