/** Adds this module's parts to the clinic's screens. */
export default () => {
  useErasureWords().add({ patient: 'clinical.privacy.personal' })
  useErasureWords().add({
    'patient ids of other systems': 'clinical.erasure.external_ids'
  })
  useEventNames().add('clinical', ['person.erased'])
  useFirstSteps().add({
    label: 'clinical.professional.first',
    to: '/patients/professionals/new',
    permission: 'clinical.write',
    order: 10,
    isDone: async signal => (await useClinicalApi().listProfessionals({ page_size: 1 }, signal)).data.length > 0
  })
  useFirstSteps().add({
    label: 'clinical.patient.first',
    to: '/patients/new',
    also: { label: 'staff.import.open', to: '/patients/import' },
    permission: 'clinical.write',
    order: 30,
    isDone: async signal => (await useClinicalApi().listPatients({ page_size: 1 }, signal)).data.length > 0
  })
  usePaletteSources().add({
    id: 'patients',
    label: 'clinical.navigation.patients',
    permission: 'clinical.read',
    async find(search) {
      const { data } = await useClinicalApi().listPatients({ search, page_size: 5 })
      return data.map(({ id, first_name, last_name, email }) => ({
        label: `${first_name} ${last_name}`,
        suffix: email ?? '',
        icon: 'i-lucide-user',
        to: `/patients/${id}`
      }))
    }
  })
  usePaletteSources().addPlace({
    label: 'clinical.patient.add',
    icon: 'i-lucide-plus',
    to: '/patients/new',
    permission: 'clinical.write'
  })
  usePaletteSources().addPlace({
    label: 'clinical.patient.import',
    icon: 'i-lucide-upload',
    to: '/patients/import',
    permission: 'clinical.write'
  })
  usePaletteSources().addPlace({
    label: 'clinical.professional.all',
    icon: 'i-lucide-users',
    to: '/patients/professionals',
    permission: 'clinical.read'
  })
  usePaletteSources().addPlace({
    label: 'clinical.professional.add',
    icon: 'i-lucide-plus',
    to: '/patients/professionals/new',
    permission: 'clinical.write'
  })
}
