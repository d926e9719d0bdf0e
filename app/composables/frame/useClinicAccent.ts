/**
 * Sets the clinic's accent colour (`#rrggbb`); null keeps the product's. The server writes it into a style element,
 * which gets the page's nonce, and the browser sets properties of the root element. The content policy blocks style
 * attributes.
 */
export function useClinicAccent(accent: () => string | null | undefined) {
  if (import.meta.server) {
    const rules = Object.entries(propertiesOf(accent())).map(([name, value]) => `${name}:${value}`)
    if (rules.length > 0) useHead({ style: [{ innerHTML: `:root{${rules.join(';')}}` }] })
    return
  }
  const { style } = document.documentElement
  const clear = () => NAMES.forEach(name => style.removeProperty(name))
  watchEffect(() => {
    clear()
    for (const [name, value] of Object.entries(propertiesOf(accent()))) style.setProperty(name, value)
  })
  onScopeDispose(clear)
}

const NAMES = ['--clinic-accent', '--clinic-accent-light']

function propertiesOf(color: string | null | undefined): Record<string, string> {
  if (!color || !/^#[0-9a-f]{6}$/i.test(color)) return {}
  return { '--clinic-accent': color, '--clinic-accent-light': `color-mix(in oklab, ${color} 38%, white)` }
}
