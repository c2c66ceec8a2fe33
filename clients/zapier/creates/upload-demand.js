const { filledIn, ofWorkspace, workspaceField } = require('../inputs');

/** A number that is text in the step before as a number; anything else unchanged, for the service to say what is wrong with it. */
const numeric = (value) => (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value);

/** A row without its empty fields: an empty quantity is missing, not 0. The date stays, since without both the row would only describe its series. */
const rowOf = (inputs) => {
  const { y, ...row } = { ds: null, ...filledIn(inputs) };
  return y === undefined ? row : { ...row, y: numeric(y) };
};

module.exports = {
  key: 'upload_demand',
  noun: 'Demand',
  display: { label: 'Upload Demand', description: 'Stores demand by series and date, and replaces what was stored for them. If a row is wrong, nothing is stored.' },
  operation: {
    inputFields: [
      workspaceField,
      {
        key: 'rows',
        label: 'Rows',
        children: [
          { key: 'unique_id', label: 'Series', required: true, helpText: 'Your identifier of the product, or of whatever else you forecast.' },
          { key: 'ds', label: 'Date', required: true, helpText: 'A day (YYYY-MM-DD) or a month (YYYY-MM).' },
          { key: 'y', label: 'Quantity', type: 'number', required: true, helpText: 'The whole quantity of the day or month: sum order lines by product and date first.' },
          { key: 'product_name', label: 'Product name', required: false },
          { key: 'category', label: 'Category', required: false, helpText: 'Series of a category learn from each other.' },
          { key: 'unit', label: 'Unit', required: false, helpText: 'Unit of the quantity, such as kg.' },
        ],
      },
      {
        key: 'fill',
        label: 'Months without a row',
        required: false,
        choices: { none: 'Stay missing', zero: 'Are stored as zero' },
        helpText: 'Between the first month of each uploaded series and the last month of the upload. By default, they stay missing.',
      },
      {
        key: 'idempotency_key',
        label: 'Idempotency key',
        required: false,
        helpText: 'A value that identifies the event, such as the id from the trigger. For a day, the same key stores the rows only once, however often this step is repeated.',
      },
    ],
    perform: async (z, bundle) => {
      const { rows = [], fill, idempotency_key: key } = filledIn(bundle.inputData);
      const response = await z.request({
        method: 'POST',
        url: '/actuals',
        // not the key of a run that the same event starts
        headers: key === undefined ? {} : { 'Idempotency-Key': z.hash('sha256', `upload:${key}`) },
        body: { ...ofWorkspace(bundle), ...filledIn({ fill }), rows: rows.map(rowOf) },
      });
      return { id: response.data.import_id, ...response.data };
    },
    sample: {
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
    },
  },
};
