/** After another window changed the session: returns to the person and clinic that this page belongs to. */
export function useMoveBack() {
  const { me, moved, load } = useSession()
  const { renew } = useSignIn()

  return async function moveBack() {
    const before = me.value!
    if (moved.value?.user.id !== before.user.id) return void await renew()
    if (before.clinic) await send('POST', '/api/v1/auth/switch-clinic', { body: { clinic_id: before.clinic.id } })
    await load()
    notifyOtherWindows()
  }
}
