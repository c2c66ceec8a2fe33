const { filledIn, workspaceField } = require('../inputs');
const { descriptiveFields, idempotencyField, seriesField, uploadOf, uploadSample } = require('../uploads');

/** In place of an empty date: a row without date and quantity would only describe its series. */
const WITHOUT_DATE = { ds: null };

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
          seriesField,
          { key: 'ds', label: 'Date', required: true, helpText: 'A day (YYYY-MM-DD) or a month (YYYY-MM).' },
          { key: 'y', label: 'Quantity', type: 'number', required: true, helpText: 'The whole quantity of the day or month: sum order lines by product and date first.' },
          ...descriptiveFields,
        ],
      },
      {
        key: 'fill',
        label: 'Months without a row',
        required: false,
        choices: { none: 'Stay missing', zero: 'Are stored as zero' },
        helpText: 'Between the first month of each uploaded series and the last month of the upload. By default, they stay missing.',
      },
      idempotencyField,
    ],
    perform: (z, bundle) => uploadOf(z, bundle, filledIn({ fill: bundle.inputData.fill }), WITHOUT_DATE),
    sample: uploadSample,
  },
};
