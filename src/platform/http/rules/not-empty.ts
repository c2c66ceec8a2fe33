import { MinLength } from 'class-validator';

/** A string that is not empty, as an unset variable of the caller would leave it. */
export const IsNotEmptyText = (): PropertyDecorator => MinLength(1, { message: 'must not be empty' });
