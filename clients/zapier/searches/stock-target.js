/** What safety stock is for: what is stored with the series, as far as none is given. */
const targetFields = [
  { key: 'lead_time', label: 'Lead time (months)', type: 'number', required: false },
  { key: 'lead_time_sd', label: 'Standard deviation of lead times (months)', type: 'number', required: false, helpText: 'How much deliveries vary. A week is 0.23 months.' },
  { key: 'service_level', label: 'Service level', type: 'number', required: false, helpText: 'From 0.5 to 0.999.' },
];

module.exports = { targetFields };
