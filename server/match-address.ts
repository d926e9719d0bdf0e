/**
 * Whether one of these patterns matches a path. They use the router's syntax: `/users/:id()`, `/b/:code?`,
 * `/:rest(.*)*`. A trailing slash makes no difference.
 */
export function createAddresses(patterns: readonly string[]): (path: string) => boolean {
  const fixed = new Set(patterns.filter(pattern => !pattern.includes(':')))
  const others = patterns.filter(pattern => pattern.includes(':')).map(toExpression)
  return (path) => {
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    return fixed.has(plain) || others.some(expression => expression.test(plain))
  }
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split('/').slice(1).map((part) => {
    const [, name, rule, mark] = /^:(\w+)(\(.*\))?([?*+]?)$/.exec(part) ?? []
    if (name === undefined) return `/${escape(part).replaceAll(/:\w+(?:\\\(\\\))?/g, '[^/]+')}`
    if (rule?.includes('.*') || mark === '*' || mark === '+') return mark === '+' ? '/.+' : '(?:/.*)?'
    return mark === '?' ? '(?:/[^/]+)?' : '/[^/]+'
  })
  return new RegExp(`^${parts.join('')}$`)
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
