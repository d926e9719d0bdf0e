export default defineAppConfig({
  ui: {
    colors: { primary: 'petrol', neutral: 'zinc' },
    // Paler than its title it falls below the contrast of 4.5.
    alert: { slots: { description: 'opacity-100' } },
    // Likewise a button under the pointer.
    button: {
      compoundVariants: [
        { color: 'primary', variant: 'solid', class: 'hover:bg-accent-strong active:bg-accent-strong' }
      ]
    },
    // Off, it needs a contrast of 3 : 1 with the page.
    switch: { slots: { base: 'data-[state=unchecked]:bg-edge' } }
  }
})
