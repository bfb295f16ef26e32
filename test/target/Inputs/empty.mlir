func.func @k() attributes {tile.kernel} {
  return
}
