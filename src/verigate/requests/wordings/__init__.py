"""Everyday wordings of requests, put as orders: "photo.jpg to webp" becomes "convert photo.jpg to webp".

Only the words of a known wording are replaced. All others stay, and must be accounted for as in any request.
"""
