/** What this module adds to the clinic's screens. */
export default () => {
  useErasureWords().add({ patient: 'clinical.privacy.personal' })
  useEventNames().add('clinical', ['person.erased'])
  usePaletteSources().add({
    id: 'patients',
    label: 'clinical.navigation.patients',
    permission: 'clinical.read',
    async find(search) {
      const { data } = await useClinicalApi().listPatients({ search, page_size: 5 })
      return data.map(({ id, first_name, last_name, email }) => ({ label: `${first_name} ${last_name}`, suffix: email ?? '', icon: 'i-lucide-user', to: `/patients/${id}` }))
    }
  })
}
