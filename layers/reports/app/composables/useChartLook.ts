import { displayLocale } from '@svc/kit/locale'

/** The colours and font of charts, read from the page's style, and again when the appearance changes. */
export function useChartLook() {
  const colorMode = useColorMode()
  const { locale, localeProperties } = useI18n()
  const look = shallowRef(read())

  function read() {
    const style = getComputedStyle(document.documentElement)
    const of = (name: string) => style.getPropertyValue(name).trim()
    return {
      paper: of('--paper'),
      ink: of('--ink'),
      soft: of('--soft'),
      line: of('--line'),
      edge: of('--edge'),
      alert: of('--alert'),
      good: of('--good'),
      shades: CHART_SHADES[colorMode.value === 'dark' ? 'dark' : 'light'],
      font: style.fontFamily
    }
  }
  watch(() => colorMode.value, () => nextTick(() => { look.value = read() }))

  const options = computed(() => ({
    responsive: true,
    maintainAspectRatio: false,
    animation: false as const,
    locale: displayLocale(locale.value),
    font: { family: look.value.font, size: 13 },
    color: look.value.soft,
    layout: { padding: 0 }
  }))
  const reversed = computed(() => localeProperties.value.dir === 'rtl')
  return { look, options, reversed }
}
