const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Instagram', /\bInstagram\b/],
  ['Facebook', /\bFBA[NV]\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', / Safari\//]
]
const SYSTEMS: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/]
]
const find = (known: [string, RegExp][], text: string) => known.find(([, pattern]) => pattern.test(text))?.[0]

/** Returns `Chrome · Android`, or the first word for other programs. Null if there is nothing to show. */
export function shortAgent(userAgent: string | null): string | null {
  if (!userAgent) return null
  const known = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)].filter(Boolean).join(' · ')
  return known || userAgent.split(/[\s/]/)[0]!.slice(0, 24) || null
}
