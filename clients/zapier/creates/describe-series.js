const { workspaceField } = require('../inputs');
const { descriptiveFields, idempotencyField, seriesField, uploadOf, uploadSample } = require('../uploads');

/** Says that the rows only describe series, even where all these fields are empty in them. */
const WITHOUT_DESCRIPTION = Object.fromEntries(descriptiveFields.map(({ key }) => [key, null]));

module.exports = {
  key: 'describe_series',
  noun: 'Series',
  display: { label: 'Describe Series', description: 'Stores names, categories, lead times and service levels of series that have demand. If a row is wrong, nothing is stored.' },
  operation: {
    inputFields: [
      workspaceField,
      { key: 'rows', label: 'Rows', children: [seriesField, ...descriptiveFields] },
      idempotencyField,
    ],
    perform: (z, bundle) => uploadOf(z, bundle, {}, WITHOUT_DESCRIPTION),
    sample: { ...uploadSample, months: null },
  },
};
