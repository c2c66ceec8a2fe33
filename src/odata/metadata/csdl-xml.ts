import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import type { EntitySet, Navigation, Property } from '../model/entity-set.js';
import { ENTITY_SETS, entitySet, NAMESPACE } from '../model/model.js';
import { nonSortable, SORT_RESTRICTIONS } from './sort-restrictions.js';

/** The model as CSDL XML 4.0. */
export function csdlXml(): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">',
    '  <edmx:DataServices>',
    `    <Schema Namespace="${NAMESPACE}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    ...ENTITY_SETS.flatMap(entityType),
    '      <EntityContainer Name="Container">',
    ...ENTITY_SETS.flatMap(container),
    '      </EntityContainer>',
    '    </Schema>',
    '  </edmx:DataServices>',
    '</edmx:Edmx>',
    '',
  ].join('\n');
}

function entityType(set: EntitySet): string[] {
  return [
    `      ${tag('EntityType', { Name: set.entityType }, false)}`,
    '        <Key>',
    ...set.key.map((name) => `          ${tag('PropertyRef', { Name: name })}`),
    '        </Key>',
    ...set.properties.map((property) => `        ${tag('Property', propertyAttributes(property))}`),
    ...set.navigations.flatMap(navigationProperty),
    '      </EntityType>',
  ];
}

/** A target that may no longer exist has no referential constraint, which would require the property with its id to be nullable too. */
function navigationProperty({ name, target, by, nullable }: Navigation): string[] {
  const attributes = { Name: name, Type: `${NAMESPACE}.${entitySet(target).entityType}` };
  if (nullable) return [`        ${tag('NavigationProperty', attributes)}`];
  return [
    `        ${tag('NavigationProperty', { ...attributes, Nullable: 'false' }, false)}`,
    `          ${tag('ReferentialConstraint', { Property: by, ReferencedProperty: 'id' })}`,
    '        </NavigationProperty>',
  ];
}

function propertyAttributes({ name, type, nullable }: Property): Record<string, string> {
  return {
    Name: name,
    Type: type,
    ...(nullable ? {} : { Nullable: 'false' }),
    ...(type === 'Edm.DateTimeOffset' ? { Precision: '3' } : {}),
  };
}

function container(set: EntitySet): string[] {
  const attributes = { Name: set.name, EntityType: `${NAMESPACE}.${set.entityType}` };
  const bindings = set.navigations.map(
    ({ name, target }) => `          ${tag('NavigationPropertyBinding', { Path: name, Target: target })}`,
  );
  const members = [...bindings, ...sortRestrictions(set)];
  if (members.length === 0) return [`        ${tag('EntitySet', attributes)}`];
  return [`        ${tag('EntitySet', attributes, false)}`, ...members, '        </EntitySet>'];
}

function sortRestrictions(set: EntitySet): string[] {
  const unsorted = nonSortable(set);
  if (unsorted.length === 0) return [];
  return [
    `          ${tag('Annotation', { Term: SORT_RESTRICTIONS }, false)}`,
    '            <Record>',
    `              ${tag('PropertyValue', { Property: 'NonSortableProperties' }, false)}`,
    '                <Collection>',
    ...unsorted.map((path) => `                  <PropertyPath>${escapeHtml(path)}</PropertyPath>`),
    '                </Collection>',
    '              </PropertyValue>',
    '            </Record>',
    '          </Annotation>',
  ];
}

function tag(name: string, attributes: Readonly<Record<string, string>>, empty = true): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`);
  return `<${name}${written.join('')}${empty ? '/' : ''}>`;
}
