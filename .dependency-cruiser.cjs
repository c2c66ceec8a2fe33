/** Who may import whom: docs/architecture.md says why. Domain modules reach each other through index.ts only. */
const DOMAIN = 'series|runs|forecasts|safety-stock|alerts|connectors|community|compliance|releases|odata|retention';
/** Which domain module may use which others. */
const USES = {
  series: [],
  forecasts: ['series'],
  'safety-stock': ['series', 'forecasts'],
  alerts: ['series'],
  runs: ['series', 'forecasts', 'alerts', 'safety-stock'],
  connectors: ['series'],
  odata: ['series', 'runs', 'forecasts', 'safety-stock', 'alerts'],
  community: [],
  compliance: ['retention'],
  releases: [],
  retention: ['runs'],
};
const forbidden = [
  { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'forecasting-is-pure',
    severity: 'error',
    comment: 'numbers in, numbers out: no framework, no node, no other module but the numerical routines',
    from: { path: '^src/forecasting/', pathNot: '\\.spec\\.ts$' },
    to: { pathNot: '^src/(forecasting|numeric)/' },
  },
  {
    name: 'inventory-is-pure',
    severity: 'error',
    from: { path: '^src/inventory/', pathNot: '\\.spec\\.ts$' },
    to: { pathNot: '^src/(inventory|numeric)/' },
  },
  {
    name: 'numeric-is-pure',
    severity: 'error',
    from: { path: '^src/numeric/', pathNot: '\\.spec\\.ts$' },
    to: { pathNot: '^src/numeric/' },
  },
  {
    name: 'platform-below-all',
    severity: 'error',
    from: { path: '^src/platform/' },
    to: { path: '^src/(?!platform/)' },
  },
  {
    name: 'metrics-through-the-platform',
    severity: 'error',
    comment: 'labels are bounded where they are declared: src/platform/metrics/metrics.ts',
    from: { pathNot: '^src/platform/metrics/' },
    to: { path: 'node_modules/prom-client/' },
  },
  {
    name: 'config-below-all',
    severity: 'error',
    from: { path: '^config/' },
    to: { path: '^(src|bench|test|migrations)/' },
  },
  {
    name: 'access-and-usage-below-domain',
    severity: 'error',
    from: { path: '^src/(access|usage)/' },
    to: { path: `^src/(${DOMAIN}|start|cli)/` },
  },
  {
    name: 'shipped-code-needs-no-test-code',
    severity: 'error',
    from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
    to: { path: '^(test|bench)/' },
  },
  {
    name: 'modules-through-their-index',
    severity: 'error',
    from: { path: `^src/(${DOMAIN}|access|usage)/`, pathNot: '\\.entities\\.ts$' },
    to: { path: `^src/(${DOMAIN}|access|usage|forecasting|inventory)/`, pathNot: ['/index\\.ts$', '^src/$1/'] },
  },
  {
    name: 'entities-load-only-entities',
    severity: 'error',
    comment: 'what needs only the schema, such as a command, loads no module',
    from: { path: '(\\.entities|^src/schema)\\.ts$' },
    to: { path: `^src/(${DOMAIN}|access|usage)/`, pathNot: '\\.entities\\.ts$' },
  },
  ...Object.entries(USES).map(([module, uses]) => ({
    name: `${module}-uses-only-what-it-may`,
    severity: 'error',
    from: { path: `^src/${module}/` },
    to: { path: `^src/(${DOMAIN})/`, pathNot: [module, ...uses].map((name) => `^src/${name}/`) },
  })),
];
module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
