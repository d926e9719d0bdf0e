import { punctuationOf } from '@svc/kit/locale'

interface Named { first_name: string, last_name: string }

/** A patient's name for the clinic's screens. After an erasure there is no name to show. */
export function usePersonName() {
  const { t, locale } = useI18n()
  const or = (name: string) => name || t('staff.erased_person')
  return {
    full: ({ first_name, last_name }: Named) => or(`${first_name} ${last_name}`.trim()),
    /** The name in the form by which lists are sorted. */
    sorted: ({ first_name, last_name }: Named) =>
      or([last_name, first_name].filter(Boolean).join(punctuationOf(locale.value).comma))
  }
}
