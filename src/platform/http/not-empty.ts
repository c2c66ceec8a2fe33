import { MinLength } from 'class-validator';

/** A string that an unset variable of a caller has not left empty. */
export const IsNotEmptyText = (): PropertyDecorator => MinLength(1, { message: 'must not be empty' });
