/** Ids in the examples of the OpenAPI document: the same thing has the same id in all of them. */
export const EXAMPLE_ID = {
  workspace: '019a8f3c-0000-7000-8000-000000000001',
  run: '019a8f3c-0000-7000-8000-000000000002',
  laterRun: '019a8f3c-0000-7000-8000-000000000003',
  import: '019a8f3c-0000-7000-8000-00000000000a',
  series: '019a8f3c-0000-7000-8000-00000000000b',
  alert: '019a8f3c-0000-7000-8000-00000000000c',
  trendChange: '019a8f3c-0000-7000-8000-00000000000d',
  connector: '019a8f3c-0000-7000-8000-00000000000e',
  sync: '019a8f3c-0000-7000-8000-00000000000f',
  apiKey: '019a8f3c-0000-7000-8000-000000000010',
} as const;
