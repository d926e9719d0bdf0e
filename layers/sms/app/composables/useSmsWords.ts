/** Values of this module's settings in words. */
export function useSmsWords() {
  const { t } = useI18n()
  return (field: string, value: unknown): string => {
    if (field === 'provider') return t(`sms.settings.provider.${String(value)}`)
    return typeof value === 'object' && value !== null ? t('staff.clinic.secret.set') : String(value ?? '–')
  }
}
