import type { Rule } from '../../shared/domain/selection.ts'

/** The rule of a choice in words: one of several, at most one, or a single optional item. */
export const rules = (one: string, any: string, extra: string) =>
  ({ rule, options }: { rule: Rule, options: readonly unknown[] }): string =>
    rule === 'exactly_one' ? one : options.length > 1 ? any : extra
