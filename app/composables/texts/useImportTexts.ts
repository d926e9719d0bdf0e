import { WRONG } from '@svc/kit/cells'
import { dateExample } from '@svc/kit/dates'

const NO_DETAILS = { type: 'about:blank', title: '', status: 0, detail: '', request_id: '' }

/** Texts for why a row or a file can't be imported, in the page's language. */
export function useImportTexts() {
  const { t } = useI18n()
  const { number } = useFormat()
  const textOf = useProblemText()
  const { me } = useSession()
  const { country } = usePreferences()
  const example = () => dateExample({ locale: me.value?.clinic?.locale ?? 'en', country: country.value })
  const rows: Record<keyof typeof WRONG, () => string> = {
    required: () => t('staff.import.wrong.required'),
    text: () => t('staff.import.wrong.text'),
    long: () => t('staff.import.wrong.long'),
    email: () => t('field.email'),
    phone: () => t('staff.import.wrong.phone'),
    phone_short: () => t('staff.import.wrong.phone_short'),
    phone_long: () => t('staff.import.wrong.phone_long'),
    phone_length: () => t('staff.import.wrong.phone_length'),
    phone_code: () => t('staff.import.wrong.phone_code'),
    spreadsheet: () => t('staff.import.wrong.spreadsheet'),
    date: () => t('staff.import.wrong.date', { example: example() }),
    read_dmy: () => t('staff.import.wrong.read_dmy'),
    read_mdy: () => t('staff.import.wrong.read_mdy'),
    read_century: () => t('staff.import.wrong.read_century'),
    read_dmy_century: () => t('staff.import.wrong.read_dmy_century'),
    read_mdy_century: () => t('staff.import.wrong.read_mdy_century'),
    read_serial: () => t('staff.import.wrong.read_serial'),
    birth: () => t('staff.import.wrong.birth'),
    language: () => t('staff.import.wrong.language'),
    amount: () => t('staff.import.wrong.amount'),
    negative: () => t('staff.import.wrong.negative'),
    no_price: () => t('staff.import.wrong.no_price'),
    price_two_ways: () => t('staff.import.wrong.price_two_ways'),
    vat_two_ways: () => t('staff.import.wrong.vat_two_ways'),
    vat_negative: () => t('staff.import.wrong.vat_negative'),
    read_fraction: () => t('staff.import.wrong.read_fraction'),
    digits: () => t('staff.import.wrong.digits'),
    large: () => t('staff.import.wrong.large'),
    percent: () => t('staff.import.wrong.percent'),
    yes_no: () => t('staff.import.wrong.yes_no'),
    counts: () => t('staff.import.wrong.counts'),
    surfaces: () => t('staff.import.wrong.surfaces'),
    category: () => t('staff.import.wrong.category'),
    code: () => t('staff.import.wrong.code'),
    taken: () => t('staff.import.wrong.taken'),
    twice: () => t('staff.import.wrong.twice'),
    several: () => t('staff.import.wrong.several'),
    cells: () => t('staff.import.wrong.cells'),
    external_id: () => t('staff.import.wrong.external_id'),
    letters: () => t('staff.import.wrong.letters'),
    another: () => t('staff.import.wrong.another'),
    full_name: () => t('staff.import.wrong.full_name'),
    in_notes: () => t('staff.import.wrong.in_notes')
  }
  // The server's words for the outcome of a row.
  const outcomes = () => [
    ['row left out', t('staff.import.outcome.wrong')],
    ['imported without this value', t('staff.import.outcome.lost')],
    ['imported', t('staff.import.outcome.notes')]
  ] as const
  const files: Record<string, () => string> = {
    empty: () => t('staff.import.unreadable.empty'),
    too_many: () => t('staff.import.unreadable.too_many'),
    not_csv: () => t('staff.import.unreadable.not_csv'),
    quotes: () => t('staff.import.unreadable.quotes')
  }
  function ofUnreadable({ reason, line }: Record<string, unknown>): string | null {
    if (reason === 'quotes' && typeof line === 'number') return t('staff.import.unreadable.quotes_at', { line: number(line) })
    return files[String(reason)]?.() ?? null
  }
  const texts = computed(() =>
    new Map(Object.entries(rows).map(([key, text]) => [WRONG[key as keyof typeof WRONG], text()])))
  return {
    /** The text for the server's message about a row. A message of a community module is returned unchanged. */
    ofRow: (message: string) => texts.value.get(message) ?? message,
    /** Translates the server's `errors.csv`. */
    translated: (csv: string) => translateErrors(
      csv,
      [
        t('staff.import.line'),
        t('staff.import.column_name'),
        t('staff.import.value'),
        t('staff.import.message'),
        t('staff.import.outcome.name')
      ],
      new Map([...texts.value, ...outcomes()])
    ),
    /** Why a file was refused. Null for errors that have a general text. */
    ofFile: (error: ApiError | null) =>
      error?.code === 'payload_too_large'
        ? t('staff.import.too_large')
        : error?.code === 'file_unreadable' ? ofUnreadable(error.problem) : null,
    /** Why a check or a run was refused. Null for errors that have a general text. */
    ofCheck: (error: ApiError | null) =>
      error?.code === 'price_mode_changed' ? t('staff.import.mode_changed') : null,
    /** Why a run failed, by the problem's code. `path` is the imports' API path, whose module has its own texts. */
    ofReason: (code: string | null, path: string) => code === 'price_mode_changed'
      ? t('staff.import.mode_changed')
      : textOf(new ApiError({ ...NO_DETAILS, code: code ?? 'internal_error' }, path))
  }
}
