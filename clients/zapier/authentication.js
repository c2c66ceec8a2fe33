/** The key goes into the header of every request; /usage is the cheapest call that proves it. */
module.exports = {
  type: 'custom',
  fields: [
    {
      key: 'base_url',
      label: 'Base URL',
      required: true,
      helpText: 'URL of the service, including the path of the API, for example https://forecasts.example.com/api/v1',
    },
    { key: 'api_key', label: 'API key', required: true, type: 'password' },
  ],
  test: async (z) => (await z.request({ url: '/usage' })).data,
  connectionLabel: '{{bundle.authData.base_url}}',
};
