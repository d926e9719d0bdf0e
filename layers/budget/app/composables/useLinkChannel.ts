/** How a link reaches the patient: by email or by hand. By hand is preselected if the patient has no email address. */
export function useLinkChannel(open: Ref<boolean>, patient: () => { email: string | null } | null) {
  const channel = ref<'email' | 'manual'>('email')
  const hasEmail = computed(() => patient()?.email !== null)
  // The patient loads after the page, so the dialog may be open before we know the address.
  watch([open, hasEmail], () => {
    if (!hasEmail.value) channel.value = 'manual'
  }, { immediate: true })
  return { channel, hasEmail }
}
