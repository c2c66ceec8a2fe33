import { beforeAll, describe, expect, it } from '@jest/globals';
import { xml2js, type Element } from 'xml-js';
import { type SeededFeed, sharedFeed } from './feed.js';

/** An element of the metadata with what it holds. */
interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
  readonly text: string;
}

function toNode({ name = '', attributes = {}, elements = [] }: Element): Node {
  const text = elements.map((element) => element.text ?? '').join('');
  return { name, attributes: attributes as Record<string, string>, children: elements.map(toNode), text };
}

const all = (node: Node, name: string): Node[] => node.children.filter((child) => child.name === name);
const descendants = (node: Node, name: string): Node[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...descendants(child, name)]);
const named = (nodes: readonly Node[]): string[] => nodes.map(({ attributes }) => attributes['Name']!);

const EDM_VALUES: Readonly<Record<string, RegExp>> = {
  'Edm.Guid': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'Edm.Date': /^\d{4}-\d{2}-\d{2}$/,
  'Edm.DateTimeOffset': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  'Edm.String': /^[^]*$/,
  'Edm.Boolean': /^(true|false)$/,
  'Edm.Int32': /^-?\d+$/,
  'Edm.Double': /^-?\d+(\.\d+)?(e[+-]?\d+)?$/,
};

describe('the metadata document', () => {
  let seeded: SeededFeed;
  let schema: Node;
  beforeAll(async () => {
    seeded = await sharedFeed();
    const { text, headers } = await seeded.feed.get<string>('$metadata');
    expect(headers.get('content-type')).toBe('application/xml;charset=utf-8');
    const root = toNode(xml2js(text, { compact: false }) as Element);
    const [edmx] = all(root, 'edmx:Edmx');
    expect(edmx!.attributes).toEqual({ Version: '4.0', 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx' });
    // a reference to elsewhere is fetched by strict clients before they read anything
    expect(edmx!.children.map(({ name }) => name)).toEqual(['edmx:DataServices']);
    schema = all(all(edmx!, 'edmx:DataServices')[0]!, 'Schema')[0]!;
  });

  it('has a key in every type, with properties that are never null', () => {
    expect(schema.attributes).toEqual({ Namespace: 'Forecasting', xmlns: 'http://docs.oasis-open.org/odata/ns/edm' });
    const types = all(schema, 'EntityType');
    expect(named(types)).toEqual([
      'Workspace',
      'Series',
      'Actual',
      'Run',
      'Forecast',
      'SeriesMetrics',
      'Total',
      'SafetyStock',
      'Alert',
    ]);
    for (const type of types) {
      const properties = all(type, 'Property');
      const members = named([...properties, ...all(type, 'NavigationProperty')]);
      expect(new Set(members).size).toBe(members.length);
      const keys = named(all(all(type, 'Key')[0]!, 'PropertyRef'));
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) {
        const property = properties.find(({ attributes }) => attributes['Name'] === key);
        expect([key, property?.attributes['Nullable']]).toEqual([key, 'false']);
      }
    }
  });

  it('points every navigation to an existing type and set, by existing properties', () => {
    const types = new Map(all(schema, 'EntityType').map((type) => [`Forecasting.${type.attributes['Name']}`, type]));
    const [container] = all(schema, 'EntityContainer');
    const sets = new Map(all(container!, 'EntitySet').map((set) => [set.attributes['Name']!, set]));
    for (const set of sets.values()) {
      const type = types.get(set.attributes['EntityType']!)!;
      const bindings = all(set, 'NavigationPropertyBinding').map(({ attributes }) => [
        attributes['Path'],
        attributes['Target'],
      ]);
      const navigations = all(type, 'NavigationProperty');
      expect(bindings.map(([path]) => path)).toEqual(named(navigations));
      navigations.forEach((navigation, index) => {
        const target = sets.get(String(bindings[index]![1]))!;
        expect(target.attributes['EntityType']).toBe(navigation.attributes['Type']);
        const [constraint] = all(navigation, 'ReferentialConstraint');
        // the target always exists if there is a constraint, and only then
        expect([constraint !== undefined, navigation.attributes['Nullable']]).toEqual([
          navigation.attributes['Name'] !== 'run' || type.attributes['Name'] !== 'Alert',
          constraint === undefined ? undefined : 'false',
        ]);
        if (constraint === undefined) return;
        const by = all(type, 'Property').find(
          ({ attributes }) => attributes['Name'] === constraint.attributes['Property'],
        );
        expect(by?.attributes['Nullable']).toBe('false');
        const other = types.get(navigation.attributes['Type']!)!;
        expect(named(all(all(other, 'Key')[0]!, 'PropertyRef'))).toEqual([constraint.attributes['ReferencedProperty']]);
      });
    }
  });

  it('declares exactly the members of the rows, with their types', async () => {
    const [container] = all(schema, 'EntityContainer');
    for (const set of all(container!, 'EntitySet')) {
      const type = all(schema, 'EntityType').find(
        ({ attributes }) => `Forecasting.${attributes['Name']}` === set.attributes['EntityType'],
      )!;
      const rows = await seeded.feed.rows(set.attributes['Name']!);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect(Object.keys(row)).toEqual(named(all(type, 'Property')));
        for (const { attributes } of all(type, 'Property')) {
          const value = row[attributes['Name']!] as string | number | boolean | null;
          if (value === null)
            expect([attributes['Name'], attributes['Nullable']]).toEqual([attributes['Name'], undefined]);
          else expect(String(value)).toMatch(EDM_VALUES[attributes['Type']!]!);
        }
      }
    }
  });

  it('names exactly the properties that $orderby refuses', async () => {
    const [container] = all(schema, 'EntityContainer');
    for (const set of all(container!, 'EntitySet')) {
      const name = set.attributes['Name']!;
      const [annotation] = all(set, 'Annotation');
      const refused = descendants(set, 'PropertyPath').map(({ text }) => text);
      expect([name, annotation?.attributes['Term']]).toEqual([
        name,
        refused.length === 0 ? undefined : 'Org.OData.Capabilities.V1.SortRestrictions',
      ]);
      const type = all(schema, 'EntityType').find(
        ({ attributes }) => `Forecasting.${attributes['Name']}` === set.attributes['EntityType'],
      )!;
      const leadsToSeries = named(all(type, 'NavigationProperty')).includes('series');
      const paths = [...named(all(type, 'Property')), ...(leadsToSeries ? ['series/metadata'] : [])];
      const answers = await Promise.all(
        paths.map(async (path) => [path, (await seeded.feed.get(name, { $orderby: path, $top: '1' })).status]),
      );
      expect(answers).toEqual(paths.map((path) => [path, refused.includes(path) ? 400 : 200]));
    }
    const { body } = await seeded.feed.get<Record<string, Record<string, Record<string, unknown>>>>('$metadata', {
      $format: 'json',
    });
    expect(body['Forecasting']!['Container']!['Actuals']).toMatchObject({
      '@Org.OData.Capabilities.V1.SortRestrictions': { NonSortableProperties: ['series/metadata'] },
    });
  });

  it('is found under its percent-encoded name, as counts are', async () => {
    const found = await seeded.feed.get<string>('%24metadata');
    expect([found.status, found.text]).toEqual([200, (await seeded.feed.get<string>('$metadata')).text]);
    const filter = { $filter: `unique_id ne '%24count'` };
    const counted = await seeded.feed.get<string>('Series/%24count', filter);
    expect([counted.status, counted.text]).toEqual([200, '8']);
    expect((await seeded.feed.get('%2524metadata')).status).toBe(404);
  });

  it('is available as JSON', async () => {
    for (const [options, accept] of [
      [{ $format: 'json' }, '*/*'],
      [{ $format: 'application/json' }, '*/*'],
      [{}, 'application/json'],
    ] as const) {
      const { headers, body } = await seeded.feed.get<Record<string, unknown>>('$metadata', options, { accept });
      expect([headers.get('content-type'), body['$Version']]).toEqual(['application/json;charset=utf-8', '4.0']);
    }
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const accept of ['*/*', 'application/xml', browser])
      expect((await seeded.feed.get('$metadata', {}, { accept })).headers.get('content-type')).toContain(
        'application/xml',
      );
    expect((await seeded.feed.get('$metadata', { $format: 'csv' })).status).toBe(406);
  });
});
