import { registerDecorator } from 'class-validator';

/** No value of the list is there twice. In one pass, where `ArrayUnique` compares each with all others. */
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
