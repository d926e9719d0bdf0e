import type { Column } from './useList.ts'

const WIDTHS = { md: '48rem', lg: '64rem', xl: '80rem' }

/**
 * Which columns of a list a person sees. The browser remembers the choice for each person and list. The first column,
 * which leads to the row's page, is always shown.
 */
export function useColumnChoice<Row>(list: string, columns: () => readonly Column<Row>[]) {
  const { me } = useSession()
  const name = `columns ${me.value?.user.id ?? ''} ${list}`
  const chosen = ref(readChoice(localStorage.getItem(name) ?? ''))

  const isUsual = ({ extra, from }: Column<Row>) => !extra && (!from || matchMedia(`(min-width: ${WIDTHS[from]})`).matches)
  const isShown = (column: Column<Row>) => chosen.value.get(column.key) ?? isUsual(column)

  function choose(column: Column<Row>, shown: boolean) {
    const next = new Map(chosen.value)
    if (shown === isUsual(column)) next.delete(column.key)
    else next.set(column.key, shown)
    keep(next)
  }
  function keep(next: Map<string, boolean>) {
    chosen.value = next
    if (next.size > 0) localStorage.setItem(name, writeChoice(next))
    else localStorage.removeItem(name)
  }

  return {
    /** A chosen column has its place at every width. */
    shown: computed(() => columns()
      .filter(({ key, extra }, index) => index === 0 || (chosen.value.get(key) ?? !extra))
      .map(column => chosen.value.get(column.key) ? { ...column, from: undefined } : column)),
    choosable: computed(() => columns().slice(1)),
    isShown,
    choose,
    isChosen: computed(() => chosen.value.size > 0),
    reset: () => keep(new Map())
  }
}

/** `"valid -clinician"` shows one column and hides another. */
const readChoice = (text: string) => new Map(text.split(' ').filter(Boolean).map(word =>
  word.startsWith('-') ? [word.slice(1), false] as const : [word, true] as const))
const writeChoice = (choice: Map<string, boolean>) =>
  [...choice].map(([key, shown]) => shown ? key : `-${key}`).join(' ')
