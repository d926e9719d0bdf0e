export default defineAppConfig({
  ui: {
    colors: { primary: 'petrol', neutral: 'zinc' },
    // The library's paler description has a contrast below 4.5:1.
    alert: { slots: { description: 'opacity-100' } },
    // The library's colour under the pointer has a contrast below 4.5:1 too.
    button: {
      compoundVariants: [
        { color: 'primary', variant: 'solid', class: 'hover:bg-accent-strong active:bg-accent-strong' }
      ]
    },
    // A switch that is off needs a contrast of 3:1 with the page.
    switch: { slots: { base: 'data-[state=unchecked]:bg-edge' } }
  }
})
