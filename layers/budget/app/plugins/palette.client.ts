export default defineNuxtPlugin(() => {
  usePaletteSources().add({
    id: 'budgets',
    label: 'budget.navigation.budgets',
    permission: 'budget.read',
    async find(search) {
      const { data } = await useBudgetApi().listBudgets({ search, page_size: 5 })
      return data.map(({ id, number, version, patient }) => ({
        label: version > 1 ? `${number} (${version})` : number, suffix: `${patient.first_name} ${patient.last_name}`, icon: 'i-lucide-file-text', to: `/budgets/${id}`
      }))
    }
  })
})
