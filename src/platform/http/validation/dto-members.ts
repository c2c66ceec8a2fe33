import { getMetadataStorage } from 'class-validator';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The members of a query or body in declaration order, each with its rules. */
export function rulesByMember(dto: NewableFunction): Map<string, Rule[]> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return Map.groupBy(rules, ({ propertyName }) => propertyName);
}
