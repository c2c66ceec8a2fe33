import { registerDecorator } from 'class-validator';

/** No value is in the list twice. Not `ArrayUnique`, which compares each value with all others: lists may have thousands. */
export function AllDifferent({ message }: { readonly message: string }): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'allDifferent',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (list: unknown) => Array.isArray(list) && new Set(list).size === list.length,
        defaultMessage: () => message,
      },
    });
}
