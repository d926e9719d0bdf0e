// Other browsers contain the name of Chrome's engine, and all contain Safari, so the more specific names come first.
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl']
]
const SYSTEMS: [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux']
]

/** "Firefox · Windows": enough to recognise one's own sessions. The rest of the header is not stored. */
export function browserOf(user_agent: string | null): string | null {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1]
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(' · ') || null
}
