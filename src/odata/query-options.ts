import { API_KEY_PARAMETER } from '../platform/http/access-declaration.js';
import { type ParameterFault, Problem } from '../platform/http/problem.js';
import { booleanOf } from '../platform/http/rules/flag.js';
import { wholeNumberFault } from '../platform/http/rules/whole-number.js';
import type { Expression, OrderItem, SelectExpand, Transformation } from './language/ast.js';
import { notImplemented, optionFault } from './language/option-fault.js';
import { parseApply, parseExpand, parseFilter, parseOrderBy, parseSelect } from './language/parse-options.js';

/** The query of a request as parsed by Fastify: decoded, a list if a name was repeated. */
export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

const OPTIONS = [
  '$select',
  '$filter',
  '$orderby',
  '$expand',
  '$apply',
  '$top',
  '$skip',
  '$count',
  '$skiptoken',
  '$format',
] as const;
export type OptionName = (typeof OPTIONS)[number];

export const OF_A_SET: readonly OptionName[] = OPTIONS;
/** Clients count with the options of their lists: those from `$orderby` on are accepted and ignored (OData Protocol 4.0, 11.2.9). */
export const OF_A_COUNT: readonly OptionName[] = [
  '$filter',
  '$apply',
  '$format',
  '$orderby',
  '$expand',
  '$top',
  '$skip',
];
export const OF_AN_ENTITY: readonly OptionName[] = ['$select', '$expand', '$format'];
export const OF_A_VALUE: readonly OptionName[] = ['$format'];
export const OF_A_DOCUMENT: readonly OptionName[] = ['$format'];

const MAX_INT32 = 2 ** 31 - 1;

/** The options of a request as text; absent if not given. */
export type GivenOptions = Readonly<Partial<Record<OptionName, string>>>;

/**
 * @param allowed the options that the resource supports
 * @throws {Problem} 501 for OData options that the feed does not support; 400 for unknown, repeated and misplaced ones
 */
export function readOptions(query: RawQuery, allowed: readonly OptionName[]): GivenOptions {
  const faults: ParameterFault[] = [];
  const given: Partial<Record<OptionName, string>> = {};
  for (const [name, value] of Object.entries(query)) {
    if (name === API_KEY_PARAMETER && typeof value === 'string') continue;
    const option = OPTIONS.find((known) => known === name);
    if (!option && /^[$@]/.test(name)) throw notImplemented(`the query option ${name.slice(0, 40)}`, hintFor(name));
    if (typeof value !== 'string') faults.push({ param: name, message: 'must be given only once' });
    else if (!option) faults.push({ param: name, message: unknownOption(name, allowed) });
    else if (!allowed.includes(option)) faults.push({ param: name, message: 'is not allowed for this resource' });
    else given[option] = value;
  }
  if (faults.length > 0) throw Problem.invalid(faults);
  return given;
}

/** The feed's equivalent of options that OData 2 and 3 name differently. */
const RENAMED: Readonly<Record<string, string>> = { $inlinecount: '$count=true' };

function hintFor(name: string): string | undefined {
  const meant = sameOption(name) ?? RENAMED[name.toLowerCase()];
  return meant && `use ${meant}`;
}

/** The option with this name in any case. */
const sameOption = (name: string): OptionName | undefined => OPTIONS.find((known) => known === name.toLowerCase());

function unknownOption(name: string, allowed: readonly OptionName[]): string {
  const meant = sameOption(`$${name}`);
  return `is not a known parameter; ${meant ? `use ${meant}` : `the known parameters are ${allowed.join(', ')}`}`;
}

/** The parsed options of a query, not yet checked against the model. */
export interface FeedQuery extends SelectExpand {
  readonly filter?: Expression | undefined;
  readonly apply?: readonly Transformation[] | undefined;
  readonly orderBy: readonly OrderItem[];
  readonly top?: number | undefined;
  readonly skip: number;
  readonly count: boolean;
}

/** @throws {Problem} 400 with the option and the character at fault */
export function parseQuery(given: GivenOptions): FeedQuery {
  const parsed = <Name extends OptionName, Value>(name: Name, parse: (text: string) => Value): Value | undefined =>
    given[name] === undefined ? undefined : parse(given[name]);
  return {
    filter: parsed('$filter', parseFilter),
    apply: parsed('$apply', parseApply),
    select: parsed('$select', parseSelect),
    expand: parsed('$expand', parseExpand),
    top: parsed('$top', (text) => wholeNumber('$top', text)),
    orderBy: parsed('$orderby', parseOrderBy) ?? [],
    skip: parsed('$skip', (text) => wholeNumber('$skip', text)) ?? 0,
    count: parsed('$count', flag) ?? false,
  };
}

function wholeNumber(option: OptionName, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Infinity;
  if (value > MAX_INT32) throw optionFault(option, wholeNumberFault({ minimum: 0, maximum: MAX_INT32 }));
  return value;
}

function flag(text: string): boolean {
  const value = booleanOf(text);
  if (value === undefined) throw optionFault('$count', 'must be true or false');
  return value;
}
