import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { propertyRule } from './property-rule.js';

export interface TextLimits {
  /** Characters (Unicode code points). */
  readonly max: number;
  /** Whether line breaks and tabs are allowed; by default a single line. */
  readonly multiline?: boolean;
}

/** Unicode noncharacters that XML 1.0 does not allow. */
const NONCHARACTERS = /[\ufffe\uffff]/;
/** Control characters of ASCII and C1; in a single line, also the line and paragraph separators. */
const CONTROL_CHARACTERS = {
  line: /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/,
  block: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/,
};

/** Characters that change the direction of all following text, including what a page shows after it. */
const DIRECTION_CHANGES = /[\u202a-\u202e\u2066-\u2069]/;

/** A visible character: not whitespace, not default-ignorable, and not the Braille blank. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether the text is a single line without control characters. */
export const isOneLine = (text: string): boolean => !CONTROL_CHARACTERS.line.test(text);

/** What {@link IsText} finds wrong with a value; undefined if nothing. */
export function textFault(value: unknown, { max, multiline = false }: TextLimits): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (!VISIBLE.test(value)) return 'must not be blank';
  // a string has at most as many code points as code units, so most need no counting
  if (value.length > max && [...value].length > max) return `must have 1 to ${max} characters`;
  if (!value.isWellFormed() || NONCHARACTERS.test(value)) return 'must be well-formed Unicode';
  if (multiline && CONTROL_CHARACTERS.block.test(value))
    return 'must not contain control characters other than line breaks and tabs';
  if (!multiline && !isOneLine(value)) return 'must be one line without control characters';
  if (!multiline && DIRECTION_CHANGES.test(value)) return 'must not contain characters that change the text direction';
  return undefined;
}

/**
 * A text written by a person: not blank, at most `max` characters, without characters that the database or an XML feed rejects.
 * Also documents its length.
 */
export const IsText = (limits: TextLimits): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength: limits.max }),
    propertyRule('isText', (value) => textFault(value, limits)),
  );
