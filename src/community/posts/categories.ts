/** The forum's categories; a slug never changes, since topics are filed under it. */
export const CATEGORIES = [
  { slug: 'getting-started', name: 'Getting started', description: 'First upload, first run, first forecast.' },
  {
    slug: 'forecasting',
    name: 'Forecasting',
    description: 'Models, accuracy, seasonality and safety stock: how to read and improve results.',
  },
  {
    slug: 'integrations',
    name: 'Integrations',
    description: 'Shop, accounting and ERP connectors, automation platforms, BI tools, and the API.',
  },
  { slug: 'billing', name: 'Billing', description: 'Plans, quotas, overage and invoices.' },
  { slug: 'ideas', name: 'Ideas', description: 'Ideas for what the service should do next.' },
] as const;

export type CategorySlug = (typeof CATEGORIES)[number]['slug'];

export const CATEGORY_SLUGS: readonly CategorySlug[] = CATEGORIES.map((category) => category.slug);
