import { WRONG } from '@svc/kit/cells'

/** Why a row or a file is not taken, in the language of the page. */
export function useImportTexts() {
  const { t } = useI18n()
  const rows: Record<keyof typeof WRONG, () => string> = {
    required: () => t('staff.import.wrong.required'),
    text: () => t('staff.import.wrong.text'),
    long: () => t('staff.import.wrong.long'),
    email: () => t('staff.import.wrong.email'),
    phone: () => t('staff.import.wrong.phone'),
    date: () => t('staff.import.wrong.date'),
    birth: () => t('staff.import.wrong.birth'),
    language: () => t('staff.import.wrong.language'),
    amount: () => t('staff.import.wrong.amount'),
    digits: () => t('staff.import.wrong.digits'),
    large: () => t('staff.import.wrong.large'),
    percent: () => t('staff.import.wrong.percent'),
    yes_no: () => t('staff.import.wrong.yes_no'),
    category: () => t('staff.import.wrong.category'),
    code: () => t('staff.import.wrong.code'),
    taken: () => t('staff.import.wrong.taken'),
    twice: () => t('staff.import.wrong.twice'),
    cells: () => t('staff.import.wrong.cells'),
    external_id: () => t('staff.import.wrong.external_id')
  }
  const keys = new Map(Object.entries(WRONG).map(([key, sentence]) => [sentence, key as keyof typeof WRONG]))
  return {
    /** What the server says of a row; a community module's own sentence stays as it is. */
    ofRow: (message: string) => {
      const key = keys.get(message)
      return key ? rows[key]() : message
    }
  }
}
