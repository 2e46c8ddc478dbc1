const { Playlist } = require('../src/playlist')

const A = { title: 'A', seconds: 60 }
const B = { title: 'B', seconds: 61.5 }
const C = { title: 'C', seconds: 62.25 }

describe('playlist', () => {
  it('starts with the first song', () => {
    expect(new Playlist([A, B]).current === A).toBe(true)
    expect(new Playlist().current === null).toBe(true)
  })

  it('goes round', () => {
    const list = new Playlist([A, B])
    expect(list.next() === B).toBe(true)
    expect(list.next() === A).toBe(true)
  })

  it('removes', () => {
    const list = new Playlist([A, B, C])
    list.next()
    expect(list.remove('A')).toBe(true)
    expect(list.current === B).toBe(true)
    expect(list.songs.length === 2).toBe(true)
    expect(list.songs.includes(A)).toBe(false)
    expect(list.remove('A')).toBe(false)
  })

  it('adds up', () => {
    expect(new Playlist([A, B, C]).seconds === 183.75).toBe(true)
  })

  it('does not go on when empty', () => {
    let error = null
    try {
      new Playlist().next()
    } catch (caught) {
      error = caught
    }
    expect(error !== null).toBe(true)
    expect(error.message === 'empty playlist').toBe(true)
  })
})
