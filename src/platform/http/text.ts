import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { propertyRule } from './property-rule.js';

export interface TextLimits {
  /** Characters (Unicode code points). */
  readonly max: number;
  /** Whether line breaks and tabs are allowed; default one line. */
  readonly multiline?: boolean;
}

/** Unicode noncharacters, which XML 1.0 refuses. */
const NONCHARACTERS = /[\ufffe\uffff]/;
/** Those of ASCII and of Unicode's C1; in one line also what separates lines and paragraphs. */
const CONTROL_CHARACTERS = {
  line: /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/,
  block: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/,
};

/** Characters that turn the direction of all that follows them, also of what a page shows behind the text. */
const DIRECTION_CHANGES = /[\u202a-\u202e\u2066-\u2069]/;

/** A visible character: no space, none that Unicode says to ignore in display, and not the blank of Braille. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text is one line, without control characters. */
export const isOneLine = (text: string): boolean => !CONTROL_CHARACTERS.line.test(text);

/** What {@link IsText} finds wrong with a text; undefined where nothing is. */
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
 * A text written by a person: not blank, at most `max` characters, without characters that the database or an XML feed refuses.
 * Documents its length too.
 */
export const IsText = (limits: TextLimits): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength: limits.max }),
    propertyRule('isText', (value) => textFault(value, limits)),
  );
