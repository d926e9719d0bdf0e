export default defineAppConfig({
  ui: {
    colors: { primary: 'petrol', neutral: 'zinc' },
    // Paler than its title it falls below the contrast of 4.5.
    alert: { slots: { description: 'opacity-100' } }
  }
})
