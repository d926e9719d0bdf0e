import type { Rule } from '../../shared/domain/selection.ts'

/** The rule of a choice in words: one of several, one or none, or a single thing to take or leave. */
export const rules = (one: string, any: string, extra: string) =>
  ({ rule, options }: { rule: Rule, options: readonly unknown[] }): string =>
    rule === 'exactly_one' ? one : options.length > 1 ? any : extra
