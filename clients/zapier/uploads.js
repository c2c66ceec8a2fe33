const { filledIn, ofWorkspace } = require('./inputs');

const seriesField = { key: 'unique_id', label: 'Series', required: true, helpText: 'Your identifier of the product, or of whatever else you forecast.' };

/** What a row may say about its series. Empty fields are kept as they are. */
const descriptiveFields = [
  { key: 'product_name', label: 'Product name', required: false },
  { key: 'category', label: 'Category', required: false, helpText: 'Series of a category learn from each other.' },
  { key: 'unit', label: 'Unit', required: false, helpText: 'Unit of the quantity, such as kg.' },
  { key: 'replaced_by', label: 'Replaced by', required: false, helpText: 'Your identifier of the product that replaces this one. Its forecast then continues the demand of both.' },
  { key: 'lead_time_months', label: 'Lead time (months)', type: 'number', required: false, helpText: 'Months from order to delivery, for safety stock.' },
  { key: 'lead_time_sd_months', label: 'Standard deviation of lead times (months)', type: 'number', required: false, helpText: 'How much deliveries vary. A week is 0.23 months.' },
  { key: 'target_service_level', label: 'Service level', type: 'number', required: false, helpText: 'Share of order cycles without a stockout, from 0.5 to 0.999.' },
];

const idempotencyField = {
  key: 'idempotency_key',
  label: 'Idempotency key',
  required: false,
  helpText: 'A value that identifies the event, such as the id from the trigger. For a day, the same key stores the rows only once, however often this step is repeated.',
};

const NUMBERS = new Set(['y', ...descriptiveFields.filter(({ type }) => type === 'number').map(({ key }) => key)]);

/** A number that is text in the step before as a number; anything else unchanged, for the service to say what is wrong with it. */
const numeric = (value) => (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value);

/** A row without its empty fields, which are missing, not 0. */
const rowOf = (inputs) => Object.fromEntries(Object.entries(filledIn(inputs)).map(([key, value]) => [key, NUMBERS.has(key) ? numeric(value) : value]));

/**
 * Uploads the rows of a step.
 * @param options members of the body besides the rows
 * @param empty what is sent in place of fields that are empty in a row
 */
const uploadOf = async (z, bundle, options, empty) => {
  const { rows = [], idempotency_key: key } = filledIn(bundle.inputData);
  const response = await z.request({
    method: 'POST',
    url: '/actuals',
    // not the key of a run that the same event starts
    headers: key === undefined ? {} : { 'Idempotency-Key': z.hash('sha256', `upload:${key}`) },
    body: { ...ofWorkspace(bundle), ...options, rows: rows.map((row) => ({ ...empty, ...rowOf(row) })) },
  });
  return { id: response.data.import_id, ...response.data };
};

const uploadSample = {
  id: '019a8f3c-0000-7000-8000-00000000000a',
  import_id: '019a8f3c-0000-7000-8000-00000000000a',
  rows: 2,
  series_created: 0,
  series_updated: 1,
  months: { from: '2026-09-01', to: '2026-10-01' },
  gaps: 0,
  series_with_gaps: 0,
  missing: [],
  incomplete_month: null,
  missing_days: [],
  months_filled: 0,
  days_replaced_by_month: 0,
  month_replaced_by_days: 0,
  duplicates: 0,
  negative_values: 0,
  rejected_count: 0,
  rejected: [],
};

module.exports = { descriptiveFields, idempotencyField, seriesField, uploadOf, uploadSample };
