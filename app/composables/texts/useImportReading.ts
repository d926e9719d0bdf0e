import type { Import } from '@svc/kit/import-schemas'

type Encoding = Import['form']['encoding']
const SHOWN = 10

/** Texts for how a file was read, in the page's language. */
export function useImportReading() {
  const { t } = useI18n()
  const { number, language } = useFormat()
  const groups: Record<string, (code: string) => string> = {
    western: code => t('staff.import.reading.western', { code }),
    central: code => t('staff.import.reading.central', { code }),
    cyrillic: code => t('staff.import.reading.cyrillic', { code }),
    greek: code => t('staff.import.reading.greek', { code }),
    turkish: code => t('staff.import.reading.turkish', { code }),
    arabic: code => t('staff.import.reading.arabic', { code }),
    baltic: code => t('staff.import.reading.baltic', { code })
  }
  /** Lists line numbers, such as "4, 9 and 12", and only the first ten of many. */
  const ofLines = (lines: readonly number[]) => {
    const shown = lines.slice(0, SHOWN).map(line => number(line))
    return new Intl.ListFormat(language.value).format(lines.length > SHOWN ? [...shown, '…'] : shown)
  }
  return {
    ofEncoding(encoding: Encoding): string {
      const [group, code] = NAMES[encoding]
      return group === null ? code : groups[group]!(code)
    },
    ofLines,
    ofPassedOver: (lines: readonly number[]) =>
      t('staff.import.reading.passed_over', { lines: ofLines(lines) }, lines.length)
  }
}

const NAMES: Record<Encoding, [group: string | null, code: string]> = {
  'utf-8': [null, 'UTF-8'],
  'utf-16le': [null, 'UTF-16 LE'],
  'utf-16be': [null, 'UTF-16 BE'],
  'windows-1252': ['western', 'Windows-1252'],
  'windows-1250': ['central', 'Windows-1250'],
  'windows-1251': ['cyrillic', 'Windows-1251'],
  'windows-1253': ['greek', 'Windows-1253'],
  'windows-1254': ['turkish', 'Windows-1254'],
  'windows-1256': ['arabic', 'Windows-1256'],
  'windows-1257': ['baltic', 'Windows-1257'],
  'iso-8859-1': ['western', 'ISO 8859-1'],
  'iso-8859-2': ['central', 'ISO 8859-2'],
  'iso-8859-6': ['arabic', 'ISO 8859-6'],
  'iso-8859-15': ['western', 'ISO 8859-15'],
  'macintosh': ['western', 'Mac OS Roman'],
  'cp437': ['western', 'DOS 437'],
  'cp850': ['western', 'DOS 850'],
  'cp852': ['central', 'DOS 852']
}
