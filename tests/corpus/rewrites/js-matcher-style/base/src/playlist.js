class Playlist {
  constructor(songs = []) {
    this.songs = [...songs]
    this.at = 0
  }

  get current() {
    return this.songs[this.at] ?? null
  }

  next() {
    if (this.songs.length === 0) throw new Error('empty playlist')
    this.at = (this.at + 1) % this.songs.length
    return this.current
  }

  remove(title) {
    const index = this.songs.findIndex((song) => song.title === title)
    if (index < 0) return false
    this.songs.splice(index, 1)
    if (index < this.at) this.at -= 1
    if (this.at >= this.songs.length) this.at = 0
    return true
  }

  get seconds() {
    return this.songs.reduce((sum, song) => sum + song.seconds, 0)
  }
}

module.exports = { Playlist }
